import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startChild, type Child, type ChildOptions } from './startChild.ts'

const pollTimeout = { timeout: 60_000 }

/** A program that prints "ready" and a number when it is ready. */
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

test('startChild waits for the ready line, and close ends the process', async () => {
  const pids: number[] = []
  const child = await startProgram(`console.log('ready 7'); ${forever}`, { onProcess: (pid) => pids.push(pid) })
  expect(child.ready).toBe(7)
  await child.close()
  expect(pids.map(isRunning)).toEqual([false])
})

test('a message to the parent signals readiness, too', async () => {
  const isReady = { inMessage: (message: unknown) => (typeof message === 'number' ? message : undefined) }
  const child = await startProgram(`process.send('early'); process.send(8); ${forever}`, { isReady })
  onTestFinished(child.close)
  expect(child.ready).toBe(8)
})

test('a program that exits before it is ready rejects with its last lines', async () => {
  const starting = startProgram(`console.log('one'); console.error('two'); process.exitCode = 3`)
  await expect(starting).rejects.toThrow(/^The program ended at once \(exit code 3\)\. (one\ntwo|two\none)$/)
})

test('a missing program rejects with its name', async () => {
  await expect(startProgram('', { command: '/nowhere/program' })).rejects.toThrow('The program ended at once (spawn')
})

test('a program that never becomes ready is killed', async () => {
  const pids: number[] = []
  const starting = startProgram(forever, { readySeconds: 0.2, onProcess: (pid) => pids.push(pid) })
  await expect(starting).rejects.toThrow('The program was not ready within 0.2 seconds.')
  expect(pids.map(isRunning)).toEqual([false])
})

test('a program that ignores SIGTERM is killed with its children', async () => {
  const stubborn = `process.on('SIGTERM', () => {}); ${forever}`
  const helper = `
    const server = require('node:net').createServer()
    server.listen(0, '127.0.0.1', () => console.log('ready', server.address().port))
    ${stubborn}`
  const code = `
    require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(helper)}], { stdio: 'inherit' })
    ${stubborn}`
  const { ready: port, close } = await startProgram(code, { closeSeconds: 0.2 })
  expect(await isListening(port)).toBe(true)
  await close()
  await expect.poll(() => isListening(port), pollTimeout).toBe(false)
})

test('end resolves with the signal that ended the process, and onExit is not called', async () => {
  const exits: string[] = []
  const child = await startProgram(`console.log('ready 1'); ${forever}`, { onExit: (name) => void exits.push(name) })
  expect(await child.end('SIGKILL')).toBe('SIGKILL')
  expect(await child.end('SIGKILL')).toBe('SIGKILL')
  expect([isRunning(child.pid), exits]).toEqual([false, []])
})

test('end resolves with the exit code of a process that handles SIGTERM', async () => {
  const { end } = await startProgram(`process.on('SIGTERM', () => process.exit(4)); console.log('ready 1'); ${forever}`)
  expect(await end('SIGTERM')).toBe(4)
})

test('a stopped process does not respond until it continues, and can be killed while it is stopped', async () => {
  const echo = `process.on('SIGUSR2', () => console.log('still here')); console.log('ready 1'); ${forever}`
  const child = await startProgram(echo)
  child.signal('SIGSTOP')
  await expect.poll(() => stateOf(child.pid), pollTimeout).toBe('T')
  child.signal('SIGCONT')
  process.kill(child.pid, 'SIGUSR2')
  await expect.poll(() => child.lastLines(), pollTimeout).toContain('still here')
  child.signal('SIGSTOP')
  expect(await child.end('SIGKILL')).toBe('SIGKILL')
})

/** Reads the state of a process from the operating system: `T` is stopped. */
function stateOf(pid: number): string {
  return execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).trim()
}

/** True if the port is open. A process id proves nothing: a killed process keeps its id until its parent reads its exit status. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => socket.end(() => resolve(true)))
    socket.once('error', () => resolve(false))
  })
}

test('onExit reports a program that exits by itself', async () => {
  const exits: string[] = []
  const onExit = (name: string, reason: string): void => void exits.push(`${name}: ${reason}`)
  await startProgram(`console.log('ready 1'); setTimeout(() => { throw 'worn out' }, 50)`, { onExit })
  await expect.poll(() => exits, pollTimeout).toHaveLength(1)
  expect(exits[0]).toMatch(/^The program: exit code 1\n[^]*worn out/)
})

test('onExit is not called after close', async () => {
  const exits: string[] = []
  const child = await startProgram(`console.log('ready 1'); ${forever}`, { onExit: (name) => void exits.push(name) })
  await child.close()
  expect(exits).toEqual([])
})

test('an aborted start lets the program finish, so that it can clean up', async () => {
  const controller = new AbortController()
  const exits: number[] = []
  const code = `
    setTimeout(() => { process.on('SIGTERM', () => process.exit(0)); console.log('ready 1') }, 300)
    ${forever}`
  const starting = startProgram(code, { signal: controller.signal, onProcess: (pid) => exits.push(pid) })
  controller.abort(new Error('aborted'))
  await expect(starting).rejects.toThrow('aborted')
  expect(exits.map(isRunning)).toEqual([false])
})
