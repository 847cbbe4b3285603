import { connect } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startTestRedis } from './redis.ts'

async function sendCommand(port: number, words: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${words}\r\n`)
  const [reply] = await once(socket, 'data')
  socket.destroy()
  return String(reply).trim()
}

test('startTestRedis starts a Redis without persistence that can restart on the same port', async () => {
  const redis = await startTestRedis()
  expect(await sendCommand(redis.port, 'SET word kept')).toBe('+OK')
  expect(await sendCommand(redis.port, 'CONFIG GET save')).toMatch(/\$0$/)
  await redis.close()
  const again = await startTestRedis(redis.port)
  expect(again.url).toBe(redis.url)
  expect(await sendCommand(again.port, 'GET word')).toBe('$-1')
  await again.close()
})

test('startTestRedis rejects with the reason when the port is in use', async () => {
  const redis = await startTestRedis()
  await expect(startTestRedis(redis.port)).rejects.toThrow(/^Redis ended at once\. .*Address already in use/s)
  await redis.close()
})
