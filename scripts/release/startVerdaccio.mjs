import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../lib/root.mjs'
import { runNpm } from './runNpm.mjs'

/** Installed on first use: its 330 packages would slow down each installation of the repository. */
const program = {
  private: true,
  // The newest version for Node.js 20.
  dependencies: { verdaccio: '6.8.0' },
  // Verdaccio asks for a tag that is not on every registry.
  overrides: { 'node-fetch': '2.7.0' },
}

/**
 * Starts an empty Verdaccio on this machine. It has only the packages that are published to it, and sends no request to
 * another registry.
 *
 * @param {string} folder for its data
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export async function startVerdaccio(folder) {
  const installed = join(root, '.latchkey/verdaccio')
  mkdirSync(installed, { recursive: true })
  writeFileSync(join(installed, 'package.json'), JSON.stringify(program))
  await runNpm(['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'], { cwd: installed })
  const config = join(folder, 'verdaccio.json')
  writeFileSync(
    config,
    JSON.stringify({
      storage: join(folder, 'storage'),
      auth: { htpasswd: { file: join(folder, 'htpasswd') } },
      uplinks: {},
      packages: { '**': { access: '$all', publish: '$all' } },
      web: { enable: false },
      max_body_size: '200mb',
      log: { type: 'stdout', format: 'pretty', level: 'error' },
    }),
  )
  const url = `http://127.0.0.1:${await findFreePort()}`
  const args = [join(installed, 'node_modules/verdaccio/bin/verdaccio'), '--config', config, '--listen', url]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  })
  const ended = once(child, 'exit')
  while (
    !(await fetch(`${url}/-/ping`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`Verdaccio ended with code ${child.exitCode}.`)
    await sleep(100)
  }
  return {
    url,
    async stop() {
      child.kill()
      await ended
    },
  }
}

/** @returns {Promise<number>} */
async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
