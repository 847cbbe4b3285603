// node scripts/database-types.mjs: migrates an empty database for each service and writes the types of its rows to
// server/src/schema/tables. Run it after every change of a migration; a test fails until you have.
import { run } from './lib/run.mjs'

await run('The generation of the row types', [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project=server',
  '--update=all',
  'server/src/schema/databaseTables.test.ts',
])
console.log('The files in server/src/schema/tables match the migrations.')
