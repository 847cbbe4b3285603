import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHistory, readHistory } from './history.ts'

test('history writes every line to a file with the time since its start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-history-'))
  let now = 1_000
  const history = await createHistory(join(folder, 'deeper/history.jsonl'), () => now)
  now += 7
  history.record('dapp', 'invoke', { does: 'publish', topic: 'a', message: '1' })
  now += 5
  history.record('dapp', 'ok', { does: 'publish', topic: 'a', message: '1' })
  await history.close()
  const lines = await readHistory(history.path)
  expect(lines).toEqual(history.lines)
  expect(lines.map(({ t, type }) => [t, type])).toEqual([
    [7, 'invoke'],
    [12, 'ok'],
  ])
  await rm(folder, { recursive: true })
})
