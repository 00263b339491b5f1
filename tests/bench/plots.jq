# The points of one plot, tab-separated. In: the results; $what: which.
def baseline($op): [to_entries[] | select(.key | IN("installed", "no-clones", "read") | not)
    | .value.operations[$op]] | min;
def shipped: select(.geometry == "shipped" and .times.installed.operations != null);

($what | split("-")) as [$plot, $precision]
| if $plot == "step" then
    [.steps[] | shipped | select(.precision == $precision)] | sort_by(.position)[]
    | [.position, .times.installed.step.median / 1e6,
       .times.installed.operations["attention, local"] / 1e6,
       .times.installed.operations["attention, global"] / 1e6]
  elif $plot == "memory" then
    .memory[] | select(.precision == $precision) | [.positions, .live / 1e6, .peak / 1e6]
  else
    [.steps[] | shipped | select(.position == 2048)] as [$f32, $int8]
    | ($f32.times.installed.operations | keys_unsorted[]) as $op
    | [$op, ($f32, $int8 | .times | (.installed.operations[$op], baseline($op)) / 1e3)]
  end
| @tsv
