import { AsOf } from '../../blocks/cached/AsOf.tsx'
import type { PaletteIndex } from './usePaletteIndex.ts'

interface PaletteFootProps {
  ready: PaletteIndex | undefined
  offline: boolean
  typed: string
  count: number
}

/** How many there are, for a screen reader, and how far the list can be trusted. */
export function PaletteFoot({ ready, offline, typed, count }: PaletteFootProps) {
  return (
    <div className="palette-foot">
      <span role="status">{statusText(ready, typed, count)}</span>
      {ready && offline && (
        <span>
          Without a connection: what is kept on this device
          {ready.asOf && (
            <>
              , <AsOf at={ready.asOf} />
            </>
          )}
        </span>
      )}
      {ready && !offline && ready.cut.length > 0 && <span>Long lists are searched on the server as well.</span>}
    </div>
  )
}

function statusText(ready: PaletteIndex | undefined, typed: string, count: number): string {
  if (!ready) return 'Loading'
  if (count === 0) return 'Nothing found'
  if (typed.trim() === '') return ''
  return count === 1 ? '1 result' : `${count} results`
}
