import { useUser } from '../../blocks/accounts/useUser.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { TestPage, useTestReceipt } from '../../blocks/printers/TestPage.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Split, Stack } from '../../ui/Panel.tsx'
import { HelpPanel } from './HelpPanel.tsx'
import { ReadyPanel } from './ReadyPanel.tsx'
import { ReceiptPrinterPanel } from './ReceiptPrinterPanel.tsx'
import { SupportPanels } from './SupportPanels.tsx'
import { useWaitingOnDevice, WaitingPanel } from './WaitingPanel.tsx'

/** Shows if this device is ready, and what waits on it. The page reads only the device, so it needs no connection. */
export function DevicePage() {
  usePageTitle('This device')
  const isTill = useUser().type === 'POS User'
  const waiting = useWaitingOnDevice()
  const testReceipt = useTestReceipt()
  return (
    <>
      <div className="print:hidden">
        <PageHeader title="This device" note="Shows if it is ready, and what waits here. Works without a connection." />
        <Stack apart>
          <Split columns="even">
            <Stack apart>
              <ReadyPanel isTill={isTill} />
              <WaitingPanel {...waiting} />
            </Stack>
            <Stack apart>
              <ReceiptPrinterPanel testPage={testReceipt} />
              {isTill && <HelpPanel />}
            </Stack>
          </Split>
          <details>
            <summary className="cursor-pointer py-3">
              <h2 className="inline">For support</h2>
            </summary>
            <div className="mt-4">
              <SupportPanels waiting={waiting} />
            </div>
          </details>
        </Stack>
      </div>
      <TestPage {...testReceipt} />
    </>
  )
}
