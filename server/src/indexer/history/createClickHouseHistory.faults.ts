import Fastify from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import { connectClickHouse } from '../../kit/clickhouse/connectClickHouse.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { describeHistoryStore } from '../../testing/describeHistoryStore.ts'
import { startTestClickHouse, type TestClickHouse } from '../../testing/startTestClickHouse.ts'
import { createClickHouseHistory } from './createClickHouseHistory.ts'

const { log } = Fastify({ logger: false })
let engine: TestClickHouse

beforeAll(async () => {
  engine = await startTestClickHouse()
})
afterAll(() => engine.close())

describeHistoryStore('ClickHouse', async (database) => {
  const clickHouse = await connectClickHouse({ url: await engine.createDatabase(), clock: systemClock })
  return { history: await createClickHouseHistory({ clickHouse, database, log }), close: clickHouse.close }
})
