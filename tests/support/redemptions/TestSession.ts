import { v7 as uuidv7 } from 'uuid'
import { insertSession } from '../../../server/db/accounts/sessions.ts'
import { accessTokens } from '../../../server/services/accounts/sessions/accessTokens.ts'
import { hashToken } from '../../../server/services/opaqueToken.ts'
import type { TestServer } from '../server/testServer.ts'

const TEN_YEARS = 3_650 * 86_400

/** A session past the login, whose password hash takes its time: a world begins hundreds of them, and lives for days. */
export class TestSession {
  readonly #server: TestServer
  readonly #ids: { userId: string; sessionId: string; jti: string }

  private constructor(server: TestServer, userId: string) {
    this.#server = server
    this.#ids = { userId, sessionId: uuidv7(), jti: uuidv7() }
  }

  /** `binding`: of the cookie that its tokens are refreshed with, see `server/http/cookies.ts`. */
  static async begin(server: TestServer, userId: string, binding: string = uuidv7()): Promise<TestSession> {
    const begun = new TestSession(server, userId)
    const now = server.clock.now()
    await insertSession(server.database.db, {
      id: begun.#ids.sessionId,
      userId,
      jti: begun.#ids.jti,
      bindingHash: hashToken(binding),
      idleSeconds: TEN_YEARS,
      createdAt: now,
      lastActiveAt: now,
      endsAt: new Date(now.getTime() + TEN_YEARS * 1_000),
    })
    return begun
  }

  get sessionId(): string {
    return this.#ids.sessionId
  }

  /** Good now, if the session is. */
  token(): Promise<string> {
    return accessTokens(this.#server.deps).issue(this.#ids)
  }
}
