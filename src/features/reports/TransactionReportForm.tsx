import { useNavigate } from '@tanstack/react-router'
import { DenominationField } from '../../blocks/DenominationField.tsx'
import { DraftNotice } from '../../blocks/DraftNotice.tsx'
import { useDraft } from '../../blocks/useDraft.ts'
import { useUser } from '../../blocks/useUser.ts'
import { singaporeDay } from '../../domain/singaporeTime.ts'
import { serverNow } from '../../state/auth.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { Form } from '../../ui/Form.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { useForm } from '../../ui/useForm.ts'
import { BranchAndPosFields } from './BranchAndPosFields.tsx'
import { queueTransactionReport } from './queueTransactionReport.ts'
import { TransactionReportFields } from './transactionReportFields.ts'

export function TransactionReportForm() {
  const { guid } = useUser()
  const navigate = useNavigate()
  const form = useForm({
    schema: TransactionReportFields,
    initial: thisMonth(),
    submit: async (request) => {
      await queueTransactionReport(guid, request)
      const toDownloads = { label: 'Go to downloads', run: () => void navigate({ to: '/downloads' }) }
      showToast({ tone: 'success', text: 'The report was added to your downloads.', action: toDownloads })
    },
  })
  const draft = useDraft('transaction-report', form)
  return (
    <Form form={form}>
      <DraftNotice draft={draft} />
      <div className="cols">
        <DateField label="From" {...form.field('from')} />
        <DateField label="To" {...form.field('to')} />
      </div>
      <BranchAndPosFields branch={form.field('branch_guid')} pos={form.field('pos_guid')} />
      <DenominationField all="All denominations" {...form.field('denomination_cents')} />
      <Button type="submit" variant="primary" wide busy={form.submitting}>
        <Icon name="download" />
        Download
      </Button>
      <p className="muted">Without a connection the download is queued and starts once the device is online.</p>
    </Form>
  )
}

/** From the first of the Singapore month to today, by the server's clock. */
function thisMonth() {
  const today = singaporeDay(new Date(serverNow()))
  return { from: `${today.slice(0, 7)}-01`, to: today, branch_guid: '', pos_guid: '', denomination_cents: '' }
}
