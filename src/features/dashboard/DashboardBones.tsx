const SKELETON_LINES = ['a', 'b', 'c', 'd']

/** In the shape of what comes, from the start. */
export function DashboardSkeleton() {
  return (
    <div className="figures" aria-busy="true">
      <div className="keys">
        {SKELETON_LINES.map((line) => (
          <div key={line} className="stack">
            <span className="bone most" />
            <span className="bone short" />
            <span className="bone most" />
          </div>
        ))}
      </div>
      <div className="split">
        <SkeletonPanel />
        <SkeletonPanel />
      </div>
    </div>
  )
}

const SkeletonPanel = () => (
  <div className="panel">
    <div className="pad stack">
      {SKELETON_LINES.map((line) => (
        <span key={line} className="bone most" />
      ))}
    </div>
  </div>
)
