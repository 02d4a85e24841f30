import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/buttonClass.ts'
import { Icon } from '../ui/Icon.tsx'

/** To the import of a file. It is read and mended without a line, so the link is never refused. */
export const ImportLink = ({ to }: { to: '/branches/import' | '/branches/pos-import' | '/profile/pos-import' }) => (
  <Link to={to} className={buttonClass()}>
    <Icon name="upload" />
    Import
  </Link>
)
