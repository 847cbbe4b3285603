import { runNpm } from './runNpm.mjs'

/**
 * Publishes packages whose version is not published yet, so an interrupted release can be run again.
 *
 * @param {readonly import('./packReleases.mjs').Release[]} releases
 * @param {{ env: NodeJS.ProcessEnv, args?: readonly string[] }} options the environment and further arguments of npm
 * @returns {Promise<string[]>} the published packages
 */
export async function publishReleases(releases, { env, args = [] }) {
  const published = []
  for (const { manifest, archive } of releases) {
    const { name, version } = manifest
    if (await isPublished(`${name}@${version}`, env, args)) continue
    await runNpm(['publish', archive, '--access', 'public', ...args], { env })
    published.push(`${name}@${version}`)
  }
  return published
}

/**
 * @param {string} spec
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} args
 */
async function isPublished(spec, env, args) {
  try {
    await runNpm(['view', spec, 'version', '--json', ...args], { env })
    return true
  } catch (error) {
    if (error instanceof Error && error.message.includes('"E404"')) return false
    throw error
  }
}
