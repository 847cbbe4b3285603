import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../lib/root.mjs'
import { findTool } from '../lib/tools.mjs'
import { requireDeployTool } from './deployTools.mjs'

const run = promisify(execFile)
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-deploy-'))
  const subject = ['-subj', '/CN=relay.example.org', '-days', '1', '-nodes', '-newkey', 'rsa:2048']
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  await run('openssl', ['req', '-x509', ...subject, ...files])
  const [key, certificate] = await Promise.all(['privkey.pem', 'fullchain.pem'].map((name) => read(join(folder, name))))
  await writeFile(join(folder, 'haproxy.pem'), `${certificate}${key}`)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function read(path: string): Promise<string> {
  return readFile(path, 'utf8')
}

/** A copy of a file of deploy/ that uses the certificates and logs of the test. */
async function copyFile(path: string): Promise<string> {
  const text = await read(join(root, 'deploy', path))
  const copy = join(folder, path.replaceAll('/', '-'))
  await writeFile(copy, text.replaceAll('/etc/ssl/latchkey', folder).replaceAll('/var/log/nginx', folder))
  return copy
}

describe('the examples of proxies', () => {
  test('nginx accepts its configuration', { tags: 'faults' }, async () => {
    const options = ['-t', '-e', join(folder, 'error.log'), '-g', `pid ${join(folder, 'nginx.pid')};`]
    const { stderr } = await run(requireDeployTool('nginx'), ['-c', await copyFile('proxies/nginx.conf'), ...options])
    expect(stderr).toContain('test is successful')
  })

  test.each(['haproxy.cfg', 'haproxy-grown.cfg'])('HAProxy accepts %s without a warning', async (name) => {
    const { stdout, stderr } = await run(requireDeployTool('haproxy'), ['-c', '-f', await copyFile(`proxies/${name}`)])
    expect(stdout + stderr).toMatch(/^Configuration file is valid\n/)
    expect(stderr).not.toMatch(/WARNING|ALERT/)
  })

  test('Caddy accepts its configuration', { tags: 'faults' }, async () => {
    const file = await copyFile('proxies/Caddyfile')
    const environment = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    const options = ['validate', '--adapter', 'caddyfile', '--config', file]
    const { stdout, stderr } = await run(requireDeployTool('caddy'), options, { env: environment })
    expect(stdout + stderr).toContain('Valid configuration')
  })

  test.each(['proxies/nginx.conf', 'proxies/haproxy.cfg', 'proxies/haproxy-grown.cfg', 'proxies/Caddyfile'])(
    '%s replaces addresses that clients send, and hides the state and the metrics',
    async (path) => {
      const text = await read(join(root, 'deploy', path))
      expect(text).toMatch(/X-Forwarded-For (?:\$remote_addr|%\[src\]|\{remote_host\})/)
      expect(text).not.toContain('proxy_add_x_forwarded_for')
      // The query contains tokens: no log has the whole URL.
      expect(text).not.toMatch(/\$request\b|\$request_uri|option httplog|%r\b|%HU\b/)
      for (const hidden of ['ready', 'live', 'metrics']) expect(text).toContain(hidden)
    },
  )
})

describe('the units of systemd', () => {
  const analyse = findTool('SYSTEMD_ANALYZE_PATH', ['systemd-analyze'])
  const units = ['latchkey.service', 'latchkey-backup.service', 'latchkey-backup.timer', 'latchkey-archive.service']

  test('systemd finds no mistake in them', async () => {
    // Not on every system: what is missing is reported by the name of this test.
    expect(analyse ?? 'systemd-analyze is missing').toMatch(/systemd-analyze$/)
    const copies = join(folder, 'units')
    await cp(join(root, 'deploy/systemd'), copies, { recursive: true })
    for (const unit of units) {
      const text = await read(join(copies, unit))
      // The paths of the installation are checked below; systemd looks for the programs on this machine.
      await writeFile(join(copies, unit), text.replaceAll('/usr/bin/node', process.execPath))
    }
    const paths = units.map((unit) => join(copies, unit))
    const { stdout, stderr } = await run(analyse ?? '', ['verify', '--man=no', ...paths])
    expect(stdout + stderr).toBe('')
  })

  test.each(['latchkey.service', 'latchkey-backup.service', 'latchkey-archive.service'])(
    '%s is confined: an exposure of 2.5 at most',
    async (unit) => {
      const path = join(root, 'deploy/systemd', unit)
      const { stdout } = await run(analyse ?? '', ['security', '--offline=true', '--no-pager', path])
      expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(2.5)
    },
  )
})

describe('the command of the operator', () => {
  const script = join(root, 'deploy/systemd/latchkey')

  test('it has the settings and the secrets of the unit', async () => {
    const [text, unit] = await Promise.all([read(script), read(join(root, 'deploy/systemd/latchkey.service'))])
    const settings = [...unit.matchAll(/^(?:LoadCredential|EnvironmentFile|UMask|DynamicUser)=.+$/gm)]
    expect(settings.length).toBeGreaterThan(4)
    for (const [setting] of settings) expect(text).toContain(`--property=${setting}`)
  })

  test('it runs the program with its arguments, and with the paths of the secrets', async () => {
    // The service manager does not run in a test. This one sets what a transient unit gets, and runs the program.
    const manager = `#!/bin/sh
      export CREDENTIALS_DIRECTORY=/run/credentials
      while :; do case $1 in --setenv=*) export "\${1#--setenv=}";; --*) ;; *) break;; esac; shift; done
      exec "$@"`
    const printed = '[process.argv.slice(2), process.env.DATABASE_URL_FILE, process.env.DATA_DIR]'
    await writeFile(join(folder, 'systemd-run'), manager, { mode: 0o755 })
    await writeFile(join(folder, 'cli.cjs'), `console.log(JSON.stringify(${printed}))`)
    const text = await read(script)
    const copy = text
      .replace('/usr/bin/node', process.execPath)
      .replace('/opt/latchkey/server/dist/cli.js', join(folder, 'cli.cjs'))
    await writeFile(join(folder, 'latchkey'), copy, { mode: 0o755 })
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` }
    const { stdout } = await run(join(folder, 'latchkey'), ['projects', 'add', 'https://a b.example'], { env })
    expect(JSON.parse(stdout)).toEqual([
      ['projects', 'add', 'https://a b.example'],
      '/run/credentials/database',
      '/var/lib/latchkey',
    ])
  })
})

describe('the container', () => {
  test('its file copies what exists, ends as an unprivileged user and has a health check', async () => {
    const text = await read(join(root, 'deploy/container/Containerfile'))
    const final = text.slice(text.lastIndexOf('\nFROM '))
    expect(final).toMatch(/\nUSER node\n/)
    expect(final.indexOf('USER node')).toBeLessThan(final.indexOf('ENTRYPOINT'))
    expect(final).toContain('"server/dist/cli.js", "check"')
    expect(text).not.toMatch(/^(?:ARG|ENV) .*(?:SECRET|TOKEN|PASSWORD|KEYS?\b)/m)
    const copied = [...text.matchAll(/^COPY (?:--from=build \/src\/)?(?!--)(.+) \S+$/gm)].flatMap(([, list = '']) =>
      list.split(' '),
    )
    // Build products are made by the image.
    const sources = copied.filter((path) => path !== '.' && !path.includes('dist') && !path.startsWith('/'))
    expect(sources.length).toBeGreaterThan(4)
    expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
