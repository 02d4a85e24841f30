import { usePageTitle } from '../../blocks/usePageTitle.ts'
import { useUser } from '../../blocks/useUser.ts'
import { rowsOf } from '../../offline/page/outbox.ts'
import { useLiveQuery } from '../../offline/page/useLiveQuery.ts'
import { userStore } from '../../offline/page/userStore.ts'
import { Blank } from '../../ui/Blank.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { DownloadRow } from './DownloadRow.tsx'

export function DownloadsPage() {
  usePageTitle('Downloads')
  const { guid } = useUser()
  const rows = useLiveQuery(() => rowsOf(userStore(guid)), `downloads/${guid}`)
  return (
    <>
      <PageHeader title="Downloads" note="Reports you asked for on this device. Only you can see them." />
      {rows && (
        <section className="panel">
          {rows.length === 0 ? (
            <Blank
              icon="download"
              title="No downloads"
              text="A report you ask for appears here, with or without a line."
            />
          ) : (
            <ul className="todo">
              {rows.map((row) => (
                <DownloadRow key={row.id} row={row} />
              ))}
            </ul>
          )}
        </section>
      )}
    </>
  )
}
