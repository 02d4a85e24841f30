import { buffer } from 'node:stream/consumers'
import { readPdf } from './inspectPdf.ts'

// Started by `pdfTruth`: a PDF comes in, a verdict goes out.
process.stdout.write(JSON.stringify(await readPdf(await buffer(process.stdin))))
