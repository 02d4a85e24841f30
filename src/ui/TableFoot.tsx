import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { pageCount, pageText, rangeText, type PageOf } from './tableRange.ts'

interface TableFootProps extends PageOf {
  shown: number
  sizes?: readonly number[]
  onPage?: (page: number) => void
  onSize?: (size: number) => void
}

export function TableFoot({ shown, sizes, onPage, onSize, ...of }: TableFootProps) {
  return (
    <div className="table-foot">
      <span>{rangeText(of, shown)}</span>
      {onSize && sizes && (
        <label className="wide-only row">
          Rows per page
          <select className="input" value={of.size} onChange={(event) => onSize(Number(event.target.value))}>
            {sizes.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </select>
        </label>
      )}
      {onPage && (
        <nav className="pager" aria-label="Pages">
          <Step icon="left" name="Previous page" off={of.page <= 1} act={() => onPage(of.page - 1)} />
          <span className="nowrap">{pageText(of)}</span>
          <Step icon="right" name="Next page" off={of.page >= pageCount(of)} act={() => onPage(of.page + 1)} />
        </nav>
      )}
    </div>
  )
}

/** Stays focusable at the end of the road: a disabled button would drop the focus under the person's finger. */
function Step({ icon, name, off, act }: { icon: 'left' | 'right'; name: string; off: boolean; act: () => void }) {
  return (
    <Button variant="icon" aria-label={name} aria-disabled={off || undefined} onClick={() => !off && act()}>
      <Icon name={icon} />
    </Button>
  )
}
