import { Link } from '@tanstack/react-router'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { buttonClass } from '../../ui/buttonClass.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { AppPanel } from './AppPanel.tsx'
import { InstallPanel } from '../device/InstallPanel.tsx'
import { ReferenceListsPanel } from './ReferenceListsPanel.tsx'
import { ReadinessPanel } from '../device/ReadinessPanel.tsx'
import { RemoveDataPanel } from './RemoveDataPanel.tsx'
import { StoragePanel } from './StoragePanel.tsx'
import { useWaitingOnDevice } from '../device/useWaitingHere.ts'
import { WaitingPanel } from './WaitingPanel.tsx'

/** For testers, in builds that have it. */
const DrillLink = () => (
  <Link to="/settings/device/$part" params={{ part: 'drill' }} className={buttonClass()}>
    Outage drill
  </Link>
)

/** What this device keeps and can do without a line; all of it is read here, so the page needs none either. */
export function DevicePage() {
  usePageTitle('This device')
  const waiting = useWaitingOnDevice()
  return (
    <>
      <PageHeader
        title="This device"
        note="What is kept here for working offline. Readable without a connection."
        actions={__DRILL__ && <DrillLink />}
      />
      <div className="split even">
        <div className="stack gap-6">
          <ReadinessPanel />
          <ReferenceListsPanel />
          <WaitingPanel {...waiting} />
        </div>
        <div className="stack gap-6">
          <AppPanel />
          <StoragePanel />
          <InstallPanel />
          <RemoveDataPanel {...waiting} />
        </div>
      </div>
    </>
  )
}
