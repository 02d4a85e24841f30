import { useUser } from '../../blocks/accounts/useUser.ts'
import { CheckPage } from './check/CheckPage.tsx'
import { RescueCopyPage } from './rescue/RescueCopyPage.tsx'
import { RescueImportPage } from './rescue/RescueImportPage.tsx'

const PAGES = { check: CheckPage, rescue: RescueCopyPage, import: RescueImportPage }

/** All in one chunk: as several, what they share would move into the file that the login fetches too. */
export function DevicePages({ part }: { part: keyof typeof PAGES }) {
  const Page = PAGES[part]
  const { type } = useUser()
  // A till is touched: its controls are as high as those of the counter.
  return type === 'POS User' ? (
    <div className="contents [--control:3rem]">
      <Page />
    </div>
  ) : (
    <Page />
  )
}
