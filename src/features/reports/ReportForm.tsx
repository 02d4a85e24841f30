import { call } from '../../api/call.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useStorageRefused } from '../../blocks/devices/StorageNotice.tsx'
import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import {
  BranchField,
  DenominationField,
  useReferenceListHint,
} from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { REPORT_FORMATS } from '../../contract/reports/report.ts'
import { posUserOptions } from '../../contract/reports/reportFilters.ts'
import type { Option } from '../../contract/tables/tableQuery.ts'
import { listKey } from '../../offline/reads/cachedRead.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { Button } from '../../ui/Button.tsx'
import { FieldSet } from '../../ui/form/CheckboxField.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import type { ReportKind } from './reportKinds.tsx'
import type { ReportFormState } from './useReportForm.ts'

/** The form of every report: period, filters, and a button for each kind of file. */
export function ReportForm({ kind, report }: { kind: ReportKind; report: ReportFormState }) {
  const { form, draft, chooseFormat, format } = report
  const { Period } = kind
  return (
    <div className="max-wide:max-w-form print:hidden">
      <Form form={form}>
        <DraftNotice draft={draft} />
        <Period form={form} />
        <BranchAndPosFields branch={form.field('branch_guid')} pos={form.field('pos_guid')} />
        <DenominationField all="All denominations" {...form.field('denomination_cents')} />
        <FieldSet label="Download">
          <div className="mt-1 grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-2">
            {REPORT_FORMATS.map((each) => (
              <Button
                key={each}
                type="submit"
                aria-label={`Download ${each.toUpperCase()}`}
                busy={form.submitting && each === format}
                onClick={() => chooseFormat(each)}
              >
                {each.toUpperCase()}
              </Button>
            ))}
          </div>
          <DownloadNote />
        </FieldSet>
      </Form>
    </div>
  )
}

function DownloadNote() {
  const isStorageRefused = useStorageRefused()
  return (
    <p className="mt-2 text-muted">
      {isStorageRefused
        ? 'This browser stores nothing: a download starts at once and needs a connection.'
        : 'Offline, a download waits and starts once you are online.'}
    </p>
  )
}

interface TextField {
  value: string
  onChange: (value: string) => void
}

/**
 * Fields for a branch and one of its POS users. The POS user is chosen after the branch, and is cleared when the branch
 * changes. A Branch Merchant has one branch, so it gets only the field for the POS user.
 */
function BranchAndPosFields<B extends TextField, P extends TextField>({ branch, pos }: { branch: B; pos: P }) {
  const { branch_guid: ownBranch } = useUser()
  if (ownBranch !== null) return <PosField branchGuid={ownBranch} pos={pos} />
  const chooseBranch = (value: string) => {
    branch.onChange(value)
    pos.onChange('')
  }
  return (
    <>
      <BranchField {...branch} all="All branches" onChange={chooseBranch} />
      {branch.value === '' ? (
        <SelectField
          {...pos}
          label="POS user"
          hint="Choose one branch first."
          disabled
          options={optionsOf('All POS users', [])}
        />
      ) : (
        <PosField key={branch.value} branchGuid={branch.value} pos={pos} />
      )}
    </>
  )
}

function PosField<P extends TextField>({ branchGuid, pos }: { branchGuid: string; pos: P }) {
  const { guid } = useUser()
  const body = { branch_guid: branchGuid }
  const list = useCachedRead(guid, listKey('filter.posUsers', body), posUserOptions.answer, (signal) =>
    call(posUserOptions, { body, signal }),
  )
  return (
    <SelectField
      {...pos}
      label="POS user"
      disabled={list.phase === 'loading'}
      options={optionsOf('All POS users', list.data)}
      {...useReferenceListHint({ asOf: list.staleAsOf, phase: list.phase })}
    />
  )
}

const optionsOf = (all: string, entries: Option[] | undefined) => [
  { value: '', label: all },
  ...(entries ?? []).map(({ guid, name }) => ({ value: guid, label: name })),
]
