import { LatchkeyEmbed } from '@latchkey/react'
import type { ReactElement } from 'react'
import type { SiteConfig } from '../app/config.ts'
import type { PlaygroundOptions } from '../app/options.ts'
import { writeCode } from '../app/writeCode.ts'
import { CodeBlock } from '../parts/CodeBlock.tsx'
import { OptionsForm } from '../parts/OptionsForm.tsx'

type PlaygroundPageProps = {
  config: SiteConfig
  options: PlaygroundOptions
  onChange: (options: PlaygroundOptions) => void
}

/** Every option changes the modal beside it, and the code for it, at once. */
export default function PlaygroundPage({ config, options, onChange }: PlaygroundPageProps): ReactElement {
  return (
    <div className="page">
      <h1>Playground</h1>
      <div className="playground">
        <OptionsForm config={config} options={options} onChange={onChange} />
        <div className="playground-result">
          <div className="playground-stage">
            <LatchkeyEmbed />
          </div>
          <CodeBlock label="This configuration" code={writeCode(config, options)} />
        </div>
      </div>
    </div>
  )
}
