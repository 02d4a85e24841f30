import { createFileRoute, redirect as toAddress } from '@tanstack/react-router'
import { EnrolPage } from '../features/redemptions/EnrolPage.tsx'
import { storeEnrolmentCode } from '../state/mailedLink.ts'

export const Route = createFileRoute('/enrol')({
  // As with mailed links, the code leaves the address bar before anything is shown. It is in the fragment, so no server or log has seen it.
  beforeLoad: ({ location }) => {
    if (storeEnrolmentCode(location.hash)) throw toAddress({ to: '/enrol', hash: '', replace: true })
  },
  component: EnrolPage,
})
