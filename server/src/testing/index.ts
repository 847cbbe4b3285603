import { readConfig, type ServerConfig } from '../config.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import { startServer, type RunningServer } from '../startServer.ts'
import { createTestDatabase } from './database.ts'

export { randomEmail, startAccountProbe, type AccountProbe, type ProbedService } from './accountProbe.ts'
export { startBusyChain, type BusyChain, type BusyChainOptions } from './busyChain.ts'
export { createTestDatabase, startTestPostgres, type KillablePostgres, type TestPostgres } from './database.ts'
export { createFakePasskey, type FakeAssertion, type FakeCeremony, type FakePasskey } from './fakePasskey.ts'
export { createLoginClient, type LoginResponse, type LoginClient } from './loginClient.ts'
export {
  startLoginServices,
  testFrameUrl,
  type LoginServices,
  type LoginServicesOptions,
  type ServiceKeys,
} from './loginServices.ts'
export { runOperatorCommand } from '../cli/runOperatorCommand.ts'
export { freePort } from '../kit/runtime/freePort.ts'
export { openFrameSite, type FrameSite } from '../frame/openFrameSite.ts'
export {
  openAuthOperator,
  openShareStoreOperator,
  type AuthOperator,
  type ShareStoreLoot,
  type ShareStoreOperator,
} from './operators.ts'
export { openLyingAuth, type LyingAuth } from './lyingAuth.ts'
export { startLyingFront, type FrontRequest, type LyingFront } from './lyingFront.ts'
export { openStolenDatabase, type DatabaseThief } from './thief.ts'
export { saveNatsStreams } from './brokers/saveNatsStreams.ts'
export { startTestNats, type TestNats, type TestNatsServer } from './brokers/nats.ts'
export { startTestRedis, type TestRedis } from './brokers/redis.ts'
export {
  connectRelayClient,
  createClientKey,
  relayAddress,
  signToken,
  testProjectId,
  type ClientKey,
  type Push,
  type RelayResponse,
  type RelayClient,
  type RelayClientOptions,
} from './relayClient.ts'

export type TestServerOptions = Partial<ServerConfig> & {
  clock?: Clock
  /** Start on the database of an earlier server. */
  databaseUrl?: string
}

/**
 * Starts the real server in this process: any free port, generous limits, an empty database.
 *
 * @example
 * const server = await startTestServer()
 * connectTo(server.relayUrl)
 * await server.close()
 */
export async function startTestServer(
  options: TestServerOptions = {},
): Promise<RunningServer & { databaseUrl: string }> {
  const { clock, databaseUrl, ...overrides } = options
  const database = databaseUrl === undefined ? await createTestDatabase() : { url: databaseUrl, close: async () => {} }
  const defaults = readConfig({ PORT: '0', LIMITS: 'local', LOG_LEVEL: 'silent', DATABASE_URL: database.url })
  const server = await startServer({ ...defaults, ...overrides }, { clock })
  return {
    ...server,
    databaseUrl: database.url,
    async close() {
      await server.close()
      await database.close()
    },
  }
}

/**
 * Starts the relay for a contract suite, or uses the one at `LATCHKEY_TEST_RELAY_URL`, such as a relay of several processes
 * behind a proxy.
 */
export async function startTestRelay(
  options: TestServerOptions = {},
): Promise<Pick<RunningServer, 'relayUrl' | 'close'>> {
  const external = process.env['LATCHKEY_TEST_RELAY_URL']
  return external === undefined ? startTestServer(options) : { relayUrl: external, close: async () => {} }
}
export {
  followCallback,
  secretOf,
  visitForCode,
  visitProvider,
  type ProviderCallback,
  type ProviderUser,
} from './visitProvider.ts'
