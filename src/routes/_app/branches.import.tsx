import { createFileRoute } from '@tanstack/react-router'
import { BranchImportPage } from '../../features/imports/ImportPage.tsx'

export const Route = createFileRoute('/_app/branches/import')({ component: BranchImportPage })
