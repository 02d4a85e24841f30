import { PERIOD_BEFORE, type ChartData } from './chart/chartData.ts'

/** The numbers of a chart, for whoever reads rather than looks. */
export function ChartTable({ label, points, format, before, beforeName = PERIOD_BEFORE, nowIndex, proof }: ChartData) {
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">
            <span className="hide">Point</span>
          </th>
          <th scope="col" className="num">
            {label}
          </th>
          {before && (
            <th scope="col" className="num">
              {beforeName}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {points.map((point, index) => (
          <tr key={point.label}>
            <th scope="row">{index === nowIndex ? `${point.label} so far` : point.label}</th>
            <td className="num">{proof ? proof.link(index, format(point.value)) : format(point.value)}</td>
            {before && <td className="num">{format(before[index] ?? 0)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
