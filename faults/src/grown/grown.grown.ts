import { afterAll, beforeAll, expect, test } from 'vitest'
import { runContractSuites } from './contractSuites.ts'
import { openGrownStage, type GrownStage } from './grownStage.ts'
import { createGrownTable } from './grownTable.ts'
import { killUnderLoad, reloadProxy, rollRelease } from './nodeLoss.ts'
import { failOver, splitNetwork } from './separation.ts'
import { changeAccess, countSharedLimits, withPublicLimits } from './sharedRules.ts'

const table = createGrownTable()
let stage: GrownStage

beforeAll(async () => {
  stage = await openGrownStage()
  // The test's own certificate.
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
}, 600_000)

afterAll(async () => {
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  await stage?.close()
  await table.write()
}, 120_000)

test('the contract suites of the relay pass through HAProxy', async () => {
  await table.run('contract suites through HAProxy', (note) => runContractSuites(stage, note))
  expect.hasAssertions()
})

test.each(['nats-1', 'nats-2', 'nats-3', 'relay-1', 'relay-2', 'api-1', 'api-2', 'auth', 'shares'])(
  'killing %s under load loses no confirmed message and no login [R-01]',
  async (name) => {
    const { nats, relays, apis, auth, shares } = stage.grown
    const victim = [...nats, ...relays, ...apis, auth, shares].find((each) => each.name === name)
    if (victim === undefined) throw new Error(`There is no process ${name}.`)
    await table.run(`kill ${name}`, (note) => killUnderLoad(stage, victim, note))
    expect.hasAssertions()
  },
)

test('reloading HAProxy under load loses no confirmed message and fails no request', async () => {
  await table.run('reload HAProxy', (note) => reloadProxy(stage, note))
  expect.hasAssertions()
})

test('a release that rolls through all processes loses no confirmed message and keeps the order [R-05]', async () => {
  await table.run('roll a release', (note) => rollRelease(stage, note))
  expect.hasAssertions()
})

test('both relays and both APIs share the limits of an address', async () => {
  await withPublicLimits(stage, () => table.run('shared limits', (note) => countSharedLimits(stage, note)))
  expect.hasAssertions()
})

test('bans and projects that the operator changes reach all processes without a restart', async () => {
  await table.run('live projects and bans', (note) => changeAccess(stage, note))
  expect.hasAssertions()
})

test('a separated relay and NATS node lose no confirmed message [R-16]', async () => {
  await table.run('split the network', (note) => splitNetwork(stage, note))
  expect.hasAssertions()
})

test('a failover of PostgreSQL loses no confirmed login and no confirmed message [R-02]', async () => {
  await table.run('fail over PostgreSQL', (note) => failOver(stage, note))
  expect.hasAssertions()
})
