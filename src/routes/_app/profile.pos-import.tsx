import { createFileRoute, redirect } from '@tanstack/react-router'
import { PosImportPage } from '../../features/imports/ImportPage.tsx'
import { auth } from '../../state/auth.ts'

/** Only a branch has its POS users under its profile (rule 7.6). */
export const Route = createFileRoute('/_app/profile/pos-import')({
  beforeLoad() {
    if (auth.user?.type !== 'Branch Merchant') throw redirect({ to: '/404', replace: true })
  },
  component: () => <PosImportPage ofBranch />,
})
