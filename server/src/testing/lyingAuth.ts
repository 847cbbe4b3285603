import Fastify from 'fastify'
import { openAccessTokens } from '../auth/sessions/accessTokens.ts'
import { createAuthSessions, type SessionTokens } from '../auth/sessions/sessions.ts'
import type { Login } from '../custody/requests/verifyAccessToken.ts'
import { openDatabase } from '../kit/database/database.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import { createSecrets, toKeyEncryptionProvider, type MasterKeys } from '../kit/secrets/secrets.ts'

/** An attacker who owns the signing keys and the database of a running auth service. */
export type LyingAuth = {
  /** Begins a session of any user with any key and any authentication methods. */
  forgeLogin(login: Login): Promise<SessionTokens>
  close(): Promise<void>
}

/** @example const lyingAuth = await openLyingAuth({ databaseUrl, masterKeys, clock }) */
export async function openLyingAuth(options: {
  databaseUrl: string
  masterKeys: MasterKeys
  clock: Clock
}): Promise<LyingAuth> {
  const { databaseUrl, masterKeys, clock } = options
  const { log } = Fastify({ logger: false })
  const { kysely: database, close } = await openDatabase({ databaseUrl, dataDir: '' }, log)
  const keyEncryption = toKeyEncryptionProvider(masterKeys)
  const secrets = createSecrets({ database, table: 'auth_data_key', keyEncryption })
  const tokens = await openAccessTokens({ database, clock, secrets, issuer: 'auth' })
  return { forgeLogin: createAuthSessions({ database, clock, tokens }).begin, close }
}
