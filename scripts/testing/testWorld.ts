import { startTestPostgres } from '@latchkey/server/testing'

/** Starts the PostgreSQL server that all node tests share. Each test file creates its own databases in it. */
export default async function setup(): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres({ isDurable: false })
  process.env['LATCHKEY_TEST_DATABASE_URL'] = postgres.url
  return () => postgres.close()
}
