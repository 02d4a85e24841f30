/** What the colours of a chart mean. */
export function ChartKey({ bars, now, before }: { bars: string; now?: string; before?: string }) {
  return (
    <div className="key">
      <span>
        <i />
        {bars}
      </span>
      {now && (
        <span>
          <i className="now" />
          {now}
        </span>
      )}
      {before && (
        <span>
          <i className="line" />
          {before}
        </span>
      )}
    </div>
  )
}
