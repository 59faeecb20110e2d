import './styles.css'
import { createRoot } from 'react-dom/client'
import { createQueries } from './api/queries.ts'
import { App } from './app/app.tsx'
import { allowNoGeneratedCode, allowOnlyText, passOnNonce } from './app/content-policy.ts'
import { deletions } from './jobs/deletions.ts'
import { followSignInLinks } from './sign-in/sign-in-api.ts'

followSignInLinks()
allowOnlyText()
allowNoGeneratedCode()
passOnNonce()
addEventListener('pagehide', () => void deletions.sendAll())
const root = document.getElementById('root')
if (root) createRoot(root).render(<App queries={createQueries()} />)
