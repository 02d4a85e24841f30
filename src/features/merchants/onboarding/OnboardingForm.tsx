import { useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { AccountBadge } from '../../../blocks/accounts/AccountBadge.tsx'
import { logOutKeepingDrafts } from '../../../blocks/accounts/logOut.ts'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import type { AccountCopy } from '../../../blocks/drafts/AccountDraft.ts'
import { DraftConflict } from '../../../blocks/drafts/DraftConflict.tsx'
import { DraftNotice } from '../../../blocks/drafts/DraftNotice.tsx'
import { useAccountDraft } from '../../../blocks/drafts/useAccountDraft.ts'
import { type DraftState, useDraft } from '../../../blocks/drafts/useDraft.ts'
import { PlainFrame } from '../../../blocks/page/PlainFrame.tsx'
import { toFormFailure } from '../../../blocks/record/toFormFailure.ts'
import type { AccountStatus } from '../../../contract/accounts/permissions.ts'
import type { User } from '../../../contract/accounts/user.ts'
import * as merchant from '../../../contract/merchants/onboarding.ts'
import type { Onboarding, OnboardingRecord } from '../../../contract/merchants/onboarding.ts'
import { auth, storeProfile } from '../../../state/auth.ts'
import { showToast } from '../../../state/toasts.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import type { ErrorsByPath } from '../../../ui/form/formErrors.ts'
import { FootNote, FootSubmit, FormFoot } from '../../../ui/form/LongForm.tsx'
import { SectionRail, useCurrentSection } from '../../../ui/form/SectionRail.tsx'
import { type FormApi, type FormFailure, type FormView, useForm } from '../../../ui/form/useForm.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { Page, PageHeader } from '../../../ui/PageHeader.tsx'
import { Words } from '../../../ui/Panel.tsx'
import { DraftStatus, savedText } from './DraftStatus.tsx'
import { onboardingDraftStore } from './onboardingDraftStore.ts'
import { errorsIn, ONBOARDING_SECTIONS, openIssues, summaryErrors } from './onboardingProgress.ts'
import { initialOnboarding, OnboardingSchema, type OnboardingValues } from './onboardingSchema.ts'
import { OnboardingSections } from './OnboardingSections.tsx'
import { OnboardingSummary } from './OnboardingSummary.tsx'
import { WhatYouNeed } from './WhatYouNeed.tsx'

interface Props {
  user: User
  record: OnboardingRecord | undefined
  onSubmitted: () => void
}

const FORM_ID = 'onboarding'

/** The long form. A merchant may fill it in over days, checks all answers once more, then submits them. */
export function OnboardingForm({ user, record, onSubmitted }: Props) {
  const [stage, setStage] = useState<'fill' | 'check'>('fill')
  const [initial] = useState(() => initialOnboarding(record, user))
  const form = useForm({
    schema: OnboardingSchema,
    initial,
    proceed: () => {
      if (stage === 'check') return true
      setStage('check')
      return false
    },
    submit: async (onboarding) => {
      const accepted = () => {
        draft.done()
        onSubmitted()
      }
      const failure = await submitOnboarding(onboarding, accepted)
      if (failure?.fields?.length) setStage('fill')
      return failure
    },
  })
  const outdatedBy = record?.submitted_at ? new Date(record.submitted_at) : undefined
  const account = useAccountDraft(form, onboardingDraftStore)
  const draft = useDraft('onboarding', form, { outdatedBy, account })
  const errors = summaryErrors(form.errors, form.values)
  const goTo = (id: string) => {
    flushSync(() => setStage('fill'))
    showSection(id)
  }
  return (
    <PlainFrame
      end={<DraftStatus draft={draft} account={account} />}
      offlineNote="What you type is kept on this device, and goes to your account with the connection."
    >
      <Page width="rail">
        <OnboardingHead status={user.status} rejectedReason={record?.rejected_reason ?? undefined} />
        {!record?.submitted_at && stage === 'fill' && draft.ready && !draft.restoredFrom && (
          <div className="mb-6">
            <WhatYouNeed />
          </div>
        )}
        <div
          className="grid grid-cols-[14rem_minmax(0,1fr)] items-start gap-10 narrow:grid-cols-1"
          hidden={!draft.ready}
        >
          <OnboardingRail
            stage={stage}
            errors={errors}
            open={openIssues(form.values)}
            onGo={goTo}
            onCheck={() => stage === 'fill' && document.querySelector<HTMLFormElement>(`#${FORM_ID}`)?.requestSubmit()}
          />
          <Form form={{ ...form, errors }} id={FORM_ID} look="long">
            <div className="*:data-notice:mb-6" hidden={stage === 'check'}>
              <DraftConflict account={account} values={form.values} />
              <DraftNotice draft={draft} />
              <OnboardingSections form={form} owner={user.guid} />
            </div>
            {stage === 'check' && <OnboardingSummary values={form.values} owner={user.guid} onEdit={goTo} />}
            <OnboardingFoot
              stage={stage}
              draft={draft}
              account={account}
              form={form}
              onBack={() => goTo('organisation')}
            />
          </Form>
        </div>
      </Page>
    </PlainFrame>
  )
}

function showSection(id: string) {
  const heading = document.getElementById(`${id}-title`)
  heading?.closest('section')?.scrollIntoView()
  heading?.focus({ preventScroll: true })
}

function OnboardingHead({ status, rejectedReason }: { status: AccountStatus; rejectedReason?: string | undefined }) {
  return (
    <>
      <PageHeader
        title="Merchant onboarding"
        badge={<AccountBadge status={status} />}
        note="After you submit, the provider reviews it. You get an email once the account is authorised."
      />
      {status === 'Authorisation Rejected' && (
        <Notice tone="danger" title="The provider asks for changes">
          {rejectedReason !== undefined && rejectedReason !== '' && (
            <p>
              <Words>{rejectedReason}</Words>
            </p>
          )}
          <p>Your answers are below. Correct them and submit again.</p>
        </Notice>
      )}
    </>
  )
}

interface OnboardingRailProps {
  stage: 'fill' | 'check'
  /** All errors, including those that are not shown yet. */
  open: ErrorsByPath
  /** The errors that are shown. */
  errors: FormView['errors']
  onGo: (id: string) => void
  /** Called by the last step of the rail. If something is missing, the form shows that first. */
  onCheck: () => void
}

const SECTION_IDS = ONBOARDING_SECTIONS.map(({ id }) => id)

const CHECK_STEP = 'check'

function OnboardingRail({ stage, open, errors, onGo, onCheck }: OnboardingRailProps) {
  const currentSection = useCurrentSection(SECTION_IDS)
  const shown = Object.fromEntries(errors.map(({ name, message }) => [name, message]))
  const sections = ONBOARDING_SECTIONS.map((section) => ({
    id: section.id,
    title: section.title,
    done: errorsIn(section, open) === 0,
    errors: errorsIn(section, shown),
  }))
  return (
    <SectionRail
      sections={[...sections, { id: CHECK_STEP, title: 'Check answers', done: false, errors: 0 }]}
      current={stage === 'check' ? CHECK_STEP : currentSection}
      onGo={(id) => (id === CHECK_STEP ? onCheck() : onGo(id))}
    />
  )
}

/** Submits the form, calls `accepted`, then sets the account's new status. The status comes last, because it changes the screen. */
async function submitOnboarding(body: Onboarding, accepted: () => void): Promise<FormFailure | undefined> {
  try {
    const { status } = await call(merchant.submitOnboarding, { body })
    accepted()
    if (auth.user) storeProfile({ user: { ...auth.user, status }, permissions: auth.permissions })
    return undefined
  } catch (error) {
    return submitFailure(error)
  }
}

function submitFailure(error: unknown): FormFailure {
  const failure = toFormFailure(error)
  if (!(error instanceof ApiError)) return failure
  if (error.isConnectionFault) return { message: `${failure.message} Your draft is kept. Try again.` }
  return AGREEMENT_ERROR_CODES.includes(error.code) ? { ...failure, fields: [agreementIssue(failure)] } : failure
}

const AGREEMENT_ERROR_CODES: readonly string[] = ['UPLOAD_UNKNOWN', 'INVALID_PDF']
const agreementIssue = ({ message, fields }: FormFailure) => fields?.[0] ?? { path: 'merchant_agreement', message }

interface OnboardingFootProps {
  stage: 'fill' | 'check'
  draft: DraftState
  account: AccountCopy
  form: FormApi<OnboardingValues>
  onBack: () => void
}

/** The bar at the bottom: Check answers, Save and leave, and how many sections are left. On a phone it also says where the draft is. */
function OnboardingFoot({ stage, draft, account, form, onBack }: OnboardingFootProps) {
  const offline = useOffline()
  const saved = savedText(draft, account)
  return (
    <FormFoot>
      {stage === 'fill' ? (
        <>
          <FootSubmit>Check answers</FootSubmit>
          {!draft.cannotSave && (
            <Button className="phone:flex-1" onClick={() => void saveAndLeave(account)}>
              Save and leave
            </Button>
          )}
        </>
      ) : (
        <>
          <FootSubmit busy={form.submitting} offline={offline}>
            Submit for review
          </FootSubmit>
          <Button className="phone:flex-1" onClick={onBack}>
            Back to the form
          </Button>
        </>
      )}
      {saved !== '' && (
        <span className="hidden text-muted phone:order-first phone:block phone:basis-full">{saved}</span>
      )}
      <FootNote warns={offline} className={offline ? undefined : 'phone:hidden'} role="status">
        {offline ? 'Submitting needs a connection. Your draft is kept.' : sectionsToGo(form.values)}
      </FootNote>
    </FormFoot>
  )
}

async function saveAndLeave({ draft }: AccountCopy) {
  const isInAccount = await draft.sync()
  await logOutKeepingDrafts()
  const text = isInAccount
    ? 'Your draft is saved to your account. Log in on any device to go on.'
    : 'Your draft is saved on this device. Log in here to go on.'
  showToast({ tone: 'info', text, stays: true })
}

function sectionsToGo(values: OnboardingValues): string {
  const issues = openIssues(values)
  const left = ONBOARDING_SECTIONS.filter((section) => errorsIn(section, issues) > 0)
  const [next] = left
  return next
    ? `${left.length} of ${ONBOARDING_SECTIONS.length} sections to go, next: ${next.title}`
    : 'All sections done'
}
