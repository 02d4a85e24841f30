const LINES = ['a', 'b', 'c', 'd']

/** In the shape of what comes, from the start. */
export function DashboardBones() {
  return (
    <div className="figures" aria-busy="true">
      <div className="keys">
        {LINES.map((line) => (
          <div key={line} className="stack">
            <span className="bone most" />
            <span className="bone short" />
            <span className="bone most" />
          </div>
        ))}
      </div>
      <div className="split">
        <BonePanel />
        <BonePanel />
      </div>
    </div>
  )
}

const BonePanel = () => (
  <div className="panel">
    <div className="pad stack">
      {LINES.map((line) => (
        <span key={line} className="bone most" />
      ))}
    </div>
  </div>
)
