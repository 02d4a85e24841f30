import { useEffect, useEffectEvent, useState } from 'react'
import { SEARCH_LENGTH } from '../../contract/tables/lists.ts'
import type { NativeInput } from '../../ui/form/TextField.tsx'
import { SearchField } from '../../ui/form/TextFieldVariants.tsx'

/** A pause in typing, not every key, asks the server. */
const PAUSE_MS = 300

interface Props extends Pick<NativeInput, 'placeholder' | 'inputMode' | 'maxLength'> {
  label: string
  q: string
  onSearch: (q: string) => void
  /** What is asked for of what was typed: a serial without its spaces. */
  read?: (typed: string) => string
}

const trimmed = (typed: string) => typed.trim()

/** The field holds what is typed. The URL owns the search: it follows after a pause; on Back the field follows the URL. */
export function ListSearch({ q, onSearch, read = trimmed, maxLength = SEARCH_LENGTH, ...field }: Props) {
  const [typed, setTyped] = useState(q)
  const follow = useEffectEvent(() => setTyped((now) => (read(now) === q ? now : q)))
  useEffect(() => follow(), [q])
  const searchFor = useEffectEvent((search: string) => search !== q && onSearch(search))
  const asked = useEffectEvent(() => read(typed))
  useEffect(() => {
    const pause = setTimeout(() => searchFor(asked()), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [typed])
  return (
    <SearchField
      className="max-w-[22rem] flex-[1_1_14rem] phone:max-w-none phone:min-w-0 phone:flex-1"
      {...field}
      maxLength={maxLength}
      value={typed}
      onChange={setTyped}
    />
  )
}
