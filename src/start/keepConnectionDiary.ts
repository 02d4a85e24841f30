import { keepDiary } from '../offline/connectivity/diary.ts'
import { serverNow } from '../state/auth.ts'
import { noteInDiary } from '../state/connectionDiary.ts'

/** In a chunk of its own: it is loaded when a person can work already. Days are told by the server's clock, as far as it is known. */
export const keepConnectionDiary = (): void => keepDiary({ now: serverNow, note: noteInDiary })
