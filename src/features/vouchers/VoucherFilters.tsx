import { useEffect, useEffectEvent, useState } from 'react'
import { DenominationField } from '../../blocks/DenominationField.tsx'
import { Button } from '../../ui/Button.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import type { VoucherTableState } from './VouchersPage.tsx'

/** A pause in typing, not every key, asks the server. */
const PAUSE_MS = 300

interface Props {
  state: VoucherTableState
  onState: (next: Partial<VoucherTableState>, replace?: boolean) => void
}

export function VoucherFilters({ state, onState }: Props) {
  const filtered = state.q !== '' || Object.keys(state.filter).length > 0
  return (
    <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <SerialSearch q={state.q} onSearch={(q) => onState({ q, page: 1 }, true)} />
      <div className="min-w-36">
        <DenominationField
          value={state.filter.denomination ?? ''}
          onChange={(denomination) => onState({ filter: denomination ? { denomination } : {}, page: 1 })}
        />
      </div>
      {filtered && (
        <Button variant="quiet" onClick={() => onState({ q: '', filter: {}, page: 1 })}>
          Clear
        </Button>
      )}
    </form>
  )
}

/** As printed under the barcode a serial has spaces. */
const withoutSpaces = (typed: string) => typed.replaceAll(/\s/g, '')

/** The field keeps what is being typed; the URL, the truth, follows after a pause and leads when Back changes it. */
function SerialSearch({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const [typed, setTyped] = useState(q)
  useEffect(() => setTyped((now) => (withoutSpaces(now) === q ? now : q)), [q])
  const searchFor = useEffectEvent((search: string) => search !== q && onSearch(search))
  useEffect(() => {
    const pause = setTimeout(() => searchFor(withoutSpaces(typed)), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [typed])
  return (
    <SearchField
      className="grow"
      label="Serial number"
      placeholder="13 digits, or scan"
      inputMode="numeric"
      maxLength={20}
      value={typed}
      onChange={setTyped}
    />
  )
}
