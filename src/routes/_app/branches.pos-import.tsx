import { createFileRoute } from '@tanstack/react-router'
import { PosImportPage } from '../../features/imports/ImportPage.tsx'

export const Route = createFileRoute('/_app/branches/pos-import')({
  component: () => <PosImportPage ofBranch={false} />,
})
