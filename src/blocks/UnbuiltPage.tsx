import { PageHeader } from '../ui/PageHeader.tsx'
import { usePageTitle } from './usePageTitle.ts'

/** A screen that is not built yet: its header and one honest line. */
export function UnbuiltPage({ title, line }: { title: string; line: string }) {
  usePageTitle(title)
  return (
    <>
      <PageHeader title={title} />
      <p className="muted">{line}</p>
    </>
  )
}
