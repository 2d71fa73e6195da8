import { useParams } from 'wouter';
import { ImportsHome } from './home/imports-home.tsx';
import { ImportView } from './plan/import-view.tsx';

/** Files to import and to export, or one import. */
export default function ImportsPage() {
  const { importId } = useParams<{ importId?: string }>();
  return importId === undefined ? <ImportsHome /> : <ImportView key={importId} importId={importId} />;
}
