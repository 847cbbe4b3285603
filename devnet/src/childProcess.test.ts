import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startChild, type Child, type ChildOptions } from './childProcess.ts'

// Real processes take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
const patience = { timeout: 20_000 }

/** A program that is ready when it prints "ready" and then a number. */
function startProgram(code: string, options: Partial<ChildOptions<number>> = {}): Promise<Child<number>> {
  return startChild({
    name: 'The program',
    command: process.execPath,
    args: ['-e', code],
    isReady: { inLine: (line) => (line.startsWith('ready') ? Number(line.slice(6)) : undefined) },
    readySeconds: 20,
    closeSeconds: 20,
    ...options,
  })
}

const forever = 'setInterval(() => {}, 1000)'

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('waits until the program says that it is ready, and ends it', async () => {
  const pids: number[] = []
  const child = await startProgram(`console.log('ready 7'); ${forever}`, { onProcess: (pid) => pids.push(pid) })
  expect(child.ready).toBe(7)
  await child.close()
  expect(pids.map(isRunning)).toEqual([false])
})

test('takes a message for it as well', async () => {
  const isReady = { inMessage: (message: unknown) => (typeof message === 'number' ? message : undefined) }
  const child = await startProgram(`process.send('early'); process.send(8); ${forever}`, { isReady })
  onTestFinished(child.close)
  expect(child.ready).toBe(8)
})

test('gives the last lines of a program that ends before it is ready', async () => {
  const starting = startProgram(`console.log('one'); console.error('two'); process.exitCode = 3`)
  await expect(starting).rejects.toThrow(/^The program ended at once \(exit code 3\)\. (one\ntwo|two\none)$/)
})

test('names a program that does not exist', async () => {
  await expect(startProgram('', { command: '/nowhere/program' })).rejects.toThrow('The program ended at once (spawn')
})

test('ends a program that is never ready', async () => {
  const pids: number[] = []
  const starting = startProgram(forever, { readySeconds: 0.2, onProcess: (pid) => pids.push(pid) })
  await expect(starting).rejects.toThrow('The program was not ready within 0.2 seconds.')
  expect(pids.map(isRunning)).toEqual([false])
})

test('kills a program that does not listen, with all that it started', async () => {
  const stubborn = `process.on('SIGTERM', () => {}); ${forever}`
  const helper = `
    const server = require('node:net').createServer()
    server.listen(0, '127.0.0.1', () => console.log('ready', server.address().port))
    ${stubborn}`
  const code = `
    require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(helper)}], { stdio: 'inherit' })
    ${stubborn}`
  const { ready: port, close } = await startProgram(code, { closeSeconds: 0.2 })
  expect(await answers(port)).toBe(true)
  await close()
  await expect.poll(() => answers(port), patience).toBe(false)
})

/** Whether somebody listens: a killed process may keep its id for long, where nobody asks how it ended. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => socket.end(() => resolve(true)))
    socket.once('error', () => resolve(false))
  })
}

test('tells of a program that ends by itself later', async () => {
  const exits: string[] = []
  const onExit = (name: string, reason: string): void => void exits.push(`${name}: ${reason}`)
  await startProgram(`console.log('ready 1'); setTimeout(() => { throw 'worn out' }, 50)`, { onExit })
  await expect.poll(() => exits, patience).toHaveLength(1)
  expect(exits[0]).toMatch(/^The program: exit code 1\n[^]*worn out/)
})

test('says nothing of a program that was asked to end', async () => {
  const exits: string[] = []
  const child = await startProgram(`console.log('ready 1'); ${forever}`, { onExit: (name) => void exits.push(name) })
  await child.close()
  expect(exits).toEqual([])
})

test('lets a start finish before it ends it, so that the program can clear up', async () => {
  const giveUp = new AbortController()
  const exits: number[] = []
  const code = `
    setTimeout(() => { process.on('SIGTERM', () => process.exit(0)); console.log('ready 1') }, 300)
    ${forever}`
  const starting = startProgram(code, { signal: giveUp.signal, onProcess: (pid) => exits.push(pid) })
  giveUp.abort(new Error('given up'))
  await expect(starting).rejects.toThrow('given up')
  expect(exits.map(isRunning)).toEqual([false])
})
