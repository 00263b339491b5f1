# Adds to the results the ratios of a whole step at 2048, shipped geometry, what is
# asked of them, what is missing, and the line that ends `make bench-quick`.
def places: . * 100 | round / 100;

(if .limits | has("x86-64-v3") then {f32: 4, int8: 6.5} else {f32: 2.5, int8: 3.7} end) as $most
| .targets = {installed: $most, "no-clones": {f32: 2.5, int8: 3.7}}
| .step_ratio = ([.steps[] | select(.geometry == "shipped" and .position == 2048)
    | {key: .precision, value: (.ratios | map_values(.step))}] | from_entries)
| .targets as $targets
| .warnings = ([.steps[] | .times[] | .wall.median / .step.median] | max
    | if . > 1.25 then ["other processes took the processor: a step lasted up to \(places) times as long as it was worked on"] else [] end)
| .warnings += [.step_ratio | to_entries[] | .key as $precision | .value | to_entries[]
    | ($targets[.key] // {})[$precision] as $target | select($target != null and .value.median < $target)
    | "the step ratio of \(.key), \($precision), is \(.value.median | places), which is below \($target)"]
| .line = (.step_ratio
    | map_values(.installed | "\(.median | places) (\(.low | places) to \(.high | places))")
    | "step ratio: f32 \(.f32) int8 \(.int8)")
