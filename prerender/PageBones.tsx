/** The page that is on its way: in the shape that most of them have, a title and a table. */
export function PageSkeleton() {
  return (
    <div className="page-bones" aria-hidden="true">
      <span className="bone title" />
      {Array.from({ length: 6 }, (_, row) => (
        <span key={row} className="bone" />
      ))}
    </div>
  )
}
