import { Group, Text, TextInput } from '@mantine/core';
import { MAX_MAPPING_NAME } from '@petstore-inventory/shared/limits';
import { useState } from 'react';
import type { ImportMapping } from '../../../api/schemas.ts';
import { atMost } from '../../../components/at-most.ts';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { type Column, Table } from '../../../components/records/table.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { RoleButton } from '../../../session/role-button.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { useMappingChanges, useMappings } from '../imports-api.ts';
import styles from './imports-list.module.css';

/** The remembered mappings, as soon as there are any. */
export function MappingsList() {
  const { imports, shared } = useTexts();
  const format = useFormat();
  const { data: records } = useMappings();
  const [open, setOpen] = useState<{ readonly mapping: ImportMapping; readonly isRename: boolean }>();
  if (!records || records.length === 0) return null;
  const { mappings } = imports;
  const summaryOf = ({ columns }: ImportMapping) =>
    columns
      .flatMap(({ heading, field }) => (field === null ? [] : [`${heading} → ${shared.fields[field]}`]))
      .join(', ');
  const columns: readonly Column<ImportMapping>[] = [
    { name: mappings.listed, cell: ({ name }) => name },
    { name: imports.columns, from: 'tablet', cell: summaryOf },
    {
      name: mappings.leftOut,
      isNumber: true,
      from: 'desktop',
      cell: (mapping) => format.quantity(mapping.columns.filter(({ field }) => field === null).length),
    },
    { name: mappings.updated, from: 'tablet', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
    {
      name: mappings.actions,
      isActions: true,
      cell: (mapping) => (
        <Group gap={4} justify="flex-end">
          <RoleButton
            needs="staff"
            variant="subtle"
            size="compact-sm"
            aria-label={mappings.renameOf(mapping.name)}
            onClick={() => setOpen({ mapping, isRename: true })}
          >
            {mappings.rename}
          </RoleButton>
          <RoleButton
            needs="staff"
            variant="subtle"
            size="compact-sm"
            aria-label={mappings.forgetOf(mapping.name)}
            onClick={() => setOpen({ mapping, isRename: false })}
          >
            {mappings.forget}
          </RoleButton>
        </Group>
      ),
    },
  ];
  const close = () => setOpen(undefined);
  return (
    <section className={styles.list} aria-labelledby="mappings-title">
      <h2 id="mappings-title" className={styles.title}>
        {mappings.title}
      </h2>
      <Table label={mappings.title} columns={columns} records={records} keyOf={({ name }) => name} />
      {open?.isRename && <RenameDialog mapping={open.mapping} onClose={close} />}
      {open && !open.isRename && <ForgetDialog mapping={open.mapping} onClose={close} />}
    </section>
  );
}

interface DialogProps {
  readonly mapping: ImportMapping;
  readonly onClose: () => void;
}

function RenameDialog({ mapping, onClose }: DialogProps) {
  const { mappings } = useTexts().imports;
  const { remember } = useMappingChanges();
  const [name, setName] = useState(mapping.name);
  const { columns, decimal, encoding, sheet } = mapping;
  const rename = () => remember(mapping.name, { name: name.trim(), columns, decimal, encoding, sheet });
  return (
    <FormDialog
      title={mappings.renameOf(mapping.name)}
      action={mappings.rename}
      isReady={name.trim() !== ''}
      onClose={onClose}
      onSubmit={rename}
    >
      <TextInput
        label={mappings.name}
        {...atMost(MAX_MAPPING_NAME)}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
        data-autofocus
      />
    </FormDialog>
  );
}

function ForgetDialog({ mapping: { name }, onClose }: DialogProps) {
  const { mappings } = useTexts().imports;
  const toast = useToast();
  const { forget } = useMappingChanges();
  const remove = async () => {
    await forget(name);
    toast.show({ message: mappings.forgotten(name) });
  };
  return (
    <FormDialog
      title={mappings.forgetOf(name)}
      action={mappings.forget}
      isDanger
      onClose={onClose}
      onSubmit={remove}
    >
      <Text>{mappings.forgetHint}</Text>
    </FormDialog>
  );
}
