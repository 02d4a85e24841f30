import { createFileRoute } from '@tanstack/react-router'
import { BranchImportPage } from '../../features/imports/BranchImportPage.tsx'

export const Route = createFileRoute('/_app/branches/import')({ component: BranchImportPage })
