# Plots of what plots.jq wrote to the folder `from`; see bench.sh.
set terminal svg size 800,480 font "sans-serif,13" background "white"
set datafile separator tab
set key outside bottom center horizontal maxrows 3
set grid
set style data linespoints

set output from."/step.svg"
set title "A decode step of the shipped geometry, caches cold"
set xlabel "position"
set ylabel "ms"
set yrange [0:]
plot from."/step-f32.tsv" using 1:2 title "f32" pt 7, \
     "" using 1:3 title "f32, local layers' attention" pt 7 dt 2, \
     "" using 1:4 title "f32, global layers' attention" pt 7 dt 3, \
     from."/step-int8.tsv" using 1:2 title "int8" pt 5, \
     "" using 1:3 title "int8, local layers' attention" pt 5 dt 2, \
     "" using 1:4 title "int8, global layers' attention" pt 5 dt 3

set output from."/memory.svg"
set title "Memory of a session of the shipped geometry, hint 1"
set ylabel "MB"
plot from."/memory-f32.tsv" using 1:3 title "f32, peak" pt 6 ps 0.5, \
     "" using 1:2 title "f32, allocated" pt 7 ps 0.5, \
     from."/memory-int8.tsv" using 1:3 title "int8, peak" pt 4 ps 0.5, \
     "" using 1:2 title "int8, allocated" pt 5 ps 0.5

set output from."/operations.svg"
set title "Operations of a step at 2048, shipped geometry, all layers"
set xlabel ""
set ylabel "µs"
set yrange [*:*]
set logscale y
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8 border
set xtics rotate by -30
set key maxcols 2 # four side by side run into the edge
plot from."/operations.tsv" using 2:xtic(1) title "f32", "" using 3 title "f32, baseline", \
     "" using 4 title "int8", "" using 5 title "int8, baseline"
