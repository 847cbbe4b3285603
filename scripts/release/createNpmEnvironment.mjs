import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Creates an environment in which npm finds the packages of this repository at a registry of this machine, and all others where
 * it usually does.
 *
 * @param {string} folder for the configuration
 * @param {string} registry
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export async function createNpmEnvironment(folder, registry) {
  const { stdout } = await run('npm', ['config', 'get', 'globalconfig'])
  const usual = stdout.trim()
  // A variable with the name of this setting would not pass through the shells that npm starts, so it is in a file.
  const lines = [
    existsSync(usual) ? readFileSync(usual, 'utf8') : '',
    `@latchkey:registry=${registry}`,
    // npm publishes only with a token. The registry accepts any.
    `${registry.replace(/^http:/, '')}/:_authToken=rehearsal`,
  ]
  const file = join(folder, 'npmrc')
  writeFileSync(file, `${lines.join('\n')}\n`)
  // Vite sets NODE_ENV while it bundles the packages, and npm would install no development dependencies.
  return { ...process.env, NO_COLOR: '1', CI: '1', NODE_ENV: undefined, npm_config_globalconfig: file }
}
