# The results as Markdown. In: what bench.sh put together.
def fixed($n): pow(10; $n) as $p | (. * $p | round) as $all | ($all / $p | floor) as $whole
    | if $n == 0 then "\($all)"
      else "\($whole).\(($all - $whole * $p | tostring | "00000" + .)[-$n:])" end;
def times: if . >= 100 then fixed(0) elif . >= 10 then fixed(1) else fixed(2) end;
def duration: if . >= 1e9 then "\(. / 1e9 | fixed(2)) s"
    elif . >= 1e6 then "\(. / 1e6 | fixed(2)) ms"
    elif . >= 1e4 then "\(. / 1e3 | fixed(1)) µs"
    elif . >= 1e3 then "\(. / 1e3 | fixed(2)) µs"
    else "\(fixed(0)) ns" end;
def spread: "\(.median | times) (\(.low | times) to \(.high | times))";
def row: "| \(map(tostring) | join(" | ")) |";
def rule: "| \(map("---") | join(" | ")) |";
def table($head): [($head | row), ($head | rule)] + map(row) | join("\n");

# The arithmetic that a level allows for a step, exponentials not counted.
def arithmetic($limits; $level): .macs * $limits[$level].mac_ns;

. as $all
| (.limits | keys_unsorted) as $levels | ($levels | last) as $best
| [.steps[] | select(.times.installed.operations != null)] as $steps
| "Measured on \(.date), \(.machine).",
  "\(.rounds) rounds in turns, medians; \(.evicted_bytes / 1048576 | fixed(0)) MiB walked before each step. Compilers: \(.compilers | join("; ")). Load average at the start: \(.load).",
  "",
  "Whole steps, all layers. `ratio` is the better baseline's time over the engine's, with the lowest and the highest of the rounds; `read` and `arithmetic` are how many times as long the engine takes as a plain read of the same bytes, and as the multiply-adds alone.",
  "",
  ([$steps[] | select(.position as $p | [256, 1024, 2048, 8192] | index($p))
    | [.geometry, .precision, .position,
       (.times.installed.step.median | duration), (.times["no-clones"].step.median | duration),
       (.times[.ratios.installed.baseline].step.median | duration), .ratios.installed.baseline,
       (.ratios.installed.step | spread), (.ratios["no-clones"].step | spread),
       (.ratios.installed.read.median | times),
       (.times.installed.step.median / arithmetic($all.limits; $best) | times)]]
   | table(["geometry", "", "position", "engine", "SSE2 alone", "baseline", "by", "ratio",
            "ratio, SSE2 alone", "read", "arithmetic"])),
  "",
  ($steps[] | select(.position == 2048)
   | . as $case
   | "Operations of a step, \(.geometry), \(.precision), position 2048, all layers together:",
     "",
     ([.times.installed.operations | keys_unsorted[] | . as $op
       | [$op, ($case.times.installed.operations[$op] | duration),
          ($case.times["no-clones"].operations[$op] | duration),
          ([$case.times | to_entries[] | select(.key | IN("installed", "no-clones", "read") | not)
            | .value.operations[$op]] | min | duration),
          ($case.ratios.installed.operations[$op] // 0 | times),
          ($case.ratios["no-clones"].operations[$op] // 0 | times),
          ($case.times.read.operations[$op] | if . > 0 then duration else "" end)]]
      | table(["operation", "engine", "SSE2 alone", "better baseline", "ratio",
               "ratio, SSE2 alone", "plain read"])),
     ""),
  "Limits:",
  "",
  ([.limits | to_entries[]
    | . as $level
    | [.key, "\(1 / .value.mac_ns | fixed(1))", "\(.value.exp_ns | fixed(2)) ns"] +
      [$steps[] | select(.geometry == "shipped" and .position == 2048)
       | "\(arithmetic($all.limits; $level.key) | duration) + \(.exponentials * $level.value.exp_ns | duration)"]]
   | table(["instruction set", "multiply-adds a ns", "an exponential",
            "a f32 step at 2048: multiply-adds + exponentials", "int8"])),
  "",
  "Sessions, shipped geometry, after position 2048:",
  "",
  ([.life[] | [.precision, "\(.bytes / 1e6 | fixed(1)) MB", (.new.median | duration),
    (.clone.median | duration), (.save.median | duration), (.load.median | duration)]]
   | table(["", "saved", "new", "clone", "save", "load"])),
  "",
  "Writes of the first 8192 positions of a layer, growth spread over them:",
  "",
  ([.growth[] | [.precision, "\(.from_one_slot.median | fixed(1)) ns", "\(.reserved.median | fixed(1)) ns",
    (.from_one_slot.median / .reserved.median | times)]]
   | table(["", "from one slot", "reserved", "ratio"])),
  "",
  "Local layers: their attention at 8192 over that at 1024, shipped geometry: \([$steps[]
    | select(.geometry == "shipped") | {precision, position, ns: .times.installed.operations["attention, local"]}]
    | group_by(.precision)
    | map("\(.[0].precision) \((map(select(.position == 8192))[0].ns) / (map(select(.position == 1024))[0].ns) | times)")
    | join(", ")).",
  "",
  (.check as $c
   | "`ndl check` on \($c.bytes / 1e6 | fixed(1)) MB of trace (shipped widths, 64 positions):",
     "",
     ([{check: "`ndl check`", reference: "`ndl check --reference`", jq: "`jq -c .`",
        gzip: "`gzip -dc`, of the trace compressed"} | to_entries[] | .key as $name
       | [.value, "\($c.bytes / $c.times[$name].ns.median * 1e3 | fixed(0))",
          ($c.times[$name].ns.median / $c.times.check.ns.median | times),
          "\($c.times[$name].peak_kib / 1024 | fixed(1)) MiB"]]
      | table(["", "MB a second", "time over check's", "peak memory"]))),
  "",
  "Memory of `ndl gen | ndl run | ndl check` on traces of one geometry: \([.long[] | "\(.bytes / 1e6 | fixed(0)) MB: \(.peak_kib / 1024 | fixed(1)) MiB"] | join(", ")).",
  "",
  "Lock-step: \(.lockstep.median | fixed(0)) sessions a second (\(.lockstep.low | fixed(0)) to \(.lockstep.high | fixed(0)))."
