import { spawn } from 'node:child_process'

/**
 * Installs the dependencies of an app, with the package manager that runs this command.
 *
 * @throws Error with the end of the manager's output if it fails
 */
export async function installDependencies(folder: string): Promise<void> {
  const manager = /^(npm|pnpm|yarn|bun)\//.exec(process.env['npm_config_user_agent'] ?? '')?.[1] ?? 'npm'
  const child = spawn(manager, ['install'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Windows has command files only.
    shell: process.platform === 'win32',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const code = await new Promise((resolve, reject) => {
    child.on('close', resolve)
    child.on('error', reject)
  })
  if (code !== 0) throw new Error(`${manager} install failed in ${folder}. Run it there.\n${output.slice(-2_000)}`)
}
