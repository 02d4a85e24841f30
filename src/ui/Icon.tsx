import { ICON_PATHS, type IconName } from './iconPaths.tsx'

/** Always beside a word, or inside a control that has a name: it says nothing to a screen reader. */
export function Icon({ name, small }: { name: IconName; small?: boolean }) {
  return (
    <svg className={small ? 'i s' : 'i'} viewBox="0 0 24 24" aria-hidden="true">
      {ICON_PATHS[name]}
    </svg>
  )
}
