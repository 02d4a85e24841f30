/** What a row of the tray says. */
export interface RowWords {
  tone: 'good' | 'risk' | 'refused' | 'on hold' | 'unknown' | 'checking'
  word: string
  /** What it means for the bill. */
  say: string
  /** Stands beside the serial. */
  fact?: string | undefined
  /** Its worth, where that is known. */
  cents?: number | undefined
  happened: string
  /** Nothing, where there is nothing to tell. */
  tell: string
  todo: string
  /** The answer may be another one now. */
  mayTryAgain?: boolean
}
