import { createFileRoute } from '@tanstack/react-router'
import { TransactionReportPage } from '../../features/reports/TransactionReportPage.tsx'

export const Route = createFileRoute('/_app/reports/transaction-report')({ component: TransactionReportPage })
