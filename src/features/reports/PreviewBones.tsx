/** In the shape of what comes: a chart, then rows. */
export const PreviewSkeleton = () => (
  <div aria-busy="true">
    <div className="pad">
      <span className="bone tall" />
    </div>
    <div className="pad stack">
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <span key={row} className="bone most" />
      ))}
    </div>
  </div>
)
