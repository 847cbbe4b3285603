// npm run release -- --rehearse | --version | --publish: versions and publishes the packages. See CONTRIBUTING.md.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAll } from '../build.mjs'
import { isMain } from '../lib/gate.mjs'
import { packReleases } from './packReleases.mjs'
import { publishReleases } from './publishReleases.mjs'
import { rehearseRelease } from './rehearseRelease.mjs'
import { updateVersions } from './updateVersions.mjs'

/** @param {string} step */
const report = (step) => console.log(step)

/** @param {readonly string[]} args further arguments of `npm publish` */
async function publish(args) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-release-'))
  try {
    const published = await publishReleases(await packReleases(folder), { env: process.env, args })
    report(published.length === 0 ? 'All versions are published already.' : `Published ${published.join(', ')}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string[]} args */
async function release(args) {
  const { values } = parseArgs({
    args,
    options: {
      version: { type: 'boolean', default: false },
      rehearse: { type: 'boolean', default: false },
      publish: { type: 'boolean', default: false },
      provenance: { type: 'boolean', default: false },
    },
  })
  if (values.version) return updateVersions()
  if (!values.rehearse && !values.publish) {
    console.error('Choose one of --version, --rehearse and --publish.')
    process.exitCode = 2
    return undefined
  }
  await buildAll()
  return values.rehearse ? rehearseRelease(report) : publish(values.provenance ? ['--provenance'] : [])
}

if (isMain(import.meta.url)) await release(process.argv.slice(2))
