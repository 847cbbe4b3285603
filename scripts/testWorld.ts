import { startTestPostgres } from '@latchkey/server/testing'

/** Starts what the node tests share: one PostgreSQL, in which each test file makes databases of its own. */
export default async function setup(): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres()
  process.env['LATCHKEY_TEST_DATABASE_URL'] = postgres.url
  return () => postgres.close()
}
