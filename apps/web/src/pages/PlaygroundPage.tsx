import { LatchkeyEmbed } from '@latchkey/react'
import type { ReactElement } from 'react'
import type { SiteConfig } from '../app/siteConfig.ts'
import type { PlaygroundOptions } from '../app/playgroundOptions.ts'
import { formatCode } from '../app/formatCode.ts'
import { CodeBlock } from '../components/CodeBlock.tsx'
import { OptionsForm } from '../components/OptionsForm.tsx'

type PlaygroundPageProps = {
  config: SiteConfig
  options: PlaygroundOptions
  onChange: (options: PlaygroundOptions) => void
}

/** Shows the options, the modal and its code. Every option applies immediately. */
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
          <CodeBlock label="This configuration" code={formatCode(config, options)} />
        </div>
      </div>
    </div>
  )
}
