import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { pointLines, type ChartData } from './chartData.ts'
import { chartColumns, chartOptions, chartTheme } from './chartOptions.ts'

interface ChartPlotProps {
  data: ChartData
  /** The point that is pointed at. */
  active: number | undefined
  onActive: (index: number | undefined) => void
}

/** The drawing, for eyes and pointers only: `Chart` has the words and the keys. In a chunk of its own, with its library. */
export function ChartPlot({ data, active, onActive }: ChartPlotProps) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const mark = useRef<HTMLDivElement>(null)
  const place = () => {
    if (active !== undefined && plot.current && mark.current) placeMark(mark.current, plot.current, active)
  }
  const placeLast = useRef(place)
  useEffect(() => {
    placeLast.current = place
    place()
  })
  useEffect(() => {
    // A mark left where it was would make a narrower page scroll sideways.
    const drawn = drawChart(host.current!, data, () => placeLast.current())
    plot.current = drawn.plot
    return drawn.end
  }, [data])
  const point = ({ clientX }: { clientX: number }) => {
    if (!plot.current) return
    const at = Math.round(plot.current.posToVal(clientX - plot.current.over.getBoundingClientRect().left, 'x'))
    onActive(at in data.points ? at : undefined)
  }
  return (
    <div
      className="plot relative h-[14rem] text-xs data-opens:cursor-pointer"
      aria-hidden="true"
      data-opens={data.proof && active !== undefined ? '' : undefined}
      onClick={() => active !== undefined && data.proof?.open(active)}
      onPointerMove={point}
      onPointerDown={point}
      // A finger that is lifted has left as well, and now wants to read.
      onPointerLeave={({ pointerType }) => pointerType !== 'touch' && onActive(undefined)}
    >
      <div ref={host} className="h-full overflow-hidden" />
      {active !== undefined && (
        <div
          ref={mark}
          className="group pointer-events-none absolute bg-[color-mix(in_srgb,var(--chart-now)_14%,transparent)]"
        >
          <span className="absolute top-0 w-max max-w-[14rem] rounded-1 bg-surface-inverse px-2 py-1 text-text-inverse group-data-[side=left]:left-0 group-data-[side=right]:right-0">
            {pointLines(data, active).map((line) => (
              <div key={line}>{line}</div>
            ))}
          </span>
        </div>
      )}
    </div>
  )
}

/** Draws into `host`, and again whenever its size or the theme changes. */
function drawChart(host: HTMLElement, data: ChartData, onResized: () => void): { plot: uPlot; end: () => void } {
  let looks = chartTheme(host)
  const size = () => ({ width: host.clientWidth, height: host.clientHeight })
  const plot = new uPlot(
    chartOptions(data, () => looks, size()),
    chartColumns(data),
    host,
  )
  const resized = new ResizeObserver(() => {
    plot.setSize(size())
    onResized()
  })
  resized.observe(host)
  const repaint = () => {
    looks = chartTheme(host)
    plot.redraw()
  }
  const repainted = new MutationObserver(repaint)
  repainted.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  // Paper is white, and a canvas goes to it as it stands.
  const print = new AbortController()
  addEventListener('beforeprint', () => ((host.dataset['theme'] = 'light'), repaint()), print)
  addEventListener('afterprint', () => (delete host.dataset['theme'], repaint()), print)
  const end = () => {
    resized.disconnect()
    repainted.disconnect()
    print.abort()
    plot.destroy()
  }
  return { plot, end }
}

/** Over its column; the words lean to the middle, so that they stay inside. */
function placeMark(mark: HTMLElement, plot: uPlot, index: number) {
  const { offsetLeft, offsetTop, clientWidth, clientHeight } = plot.over
  const from = plot.valToPos(index - 0.5, 'x')
  mark.style.left = `${offsetLeft + from}px`
  mark.style.top = `${offsetTop}px`
  mark.style.width = `${plot.valToPos(index + 0.5, 'x') - from}px`
  mark.style.height = `${clientHeight}px`
  mark.dataset['side'] = from < clientWidth / 2 ? 'left' : 'right'
}
