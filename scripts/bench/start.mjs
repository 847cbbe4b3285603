// Measures npm start from the command to "ready", with everything installed and built.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getMedian } from './site.mjs'

const rounds = 3

/** @returns {Promise<import('../bench.mjs').Figure[]>} */
export async function measure() {
  const data = mkdtempSync(join(tmpdir(), 'latchkey-bench-start-'))
  try {
    const first = await startOnce(data)
    /** @type {number[]} */
    const times = []
    for (let round = 0; round < rounds; round += 1) times.push(await startOnce(data))
    return [
      { name: 'npm start to ready, data found again, median', value: getMedian(times), unit: 's', budget: 10 },
      { name: 'npm start to ready, first data', value: first, unit: 's' },
    ]
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

/** @param {string} data */
async function startOnce(data) {
  const urls = join(data, 'urls.json')
  rmSync(urls, { force: true })
  const ports = ['WEB', 'WALLET', 'SERVER', 'EVM', 'EVM2'].map((name) => [`LATCHKEY_${name}_PORT`, '0'])
  const env = {
    ...process.env,
    ...Object.fromEntries(ports),
    LATCHKEY_DATA_DIR: join(data, 'data'),
    LATCHKEY_URLS: urls,
  }
  const began = performance.now()
  const child = spawn('npm', ['start'], { env, stdio: 'ignore', detached: true })
  while (!existsSync(urls)) {
    if (child.exitCode !== null) throw new Error(`npm start ended with code ${child.exitCode}.`)
    await sleep(10)
  }
  const seconds = (performance.now() - began) / 1000
  child.kill('SIGTERM')
  // npm ends before the processes that it started.
  while (isGroupAlive(child.pid ?? 0)) await sleep(50)
  return seconds
}

/** @param {number} group the id of a process group */
function isGroupAlive(group) {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}
